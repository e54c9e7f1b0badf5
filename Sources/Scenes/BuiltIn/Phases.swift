// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// 10 000 badges: half of them pulse for ever, half of them react to triggers.
  static let phases = """
    {
      "murmuration": 1,
      "name": "phases",
      "description": "10 000 badges: the highlights of one half pulse for ever, each with a start of its own; those of the other half react to three events that spread from their middle, the third while they still react to the second. Scale, and lift in points.",
      "dimensions": 2,
      "components": ["scale", "lift"],
      "framesPerSecond": 60,
      "duration": 8,
      "seed": 9,
      "look": {
        "camera": {"bounds": [[-285, -150, 0], [285, 140, 24]], "azimuth": 0, "elevation": 40, "lens": 26},
        "still": 4.5
      },
      "groups": [
        {
          "name": "pulse", "count": 5000,
          "look": {
            "mark": "disc", "size": 2.7, "axes": {"z": "lift", "size": "scale"},
            "place": {"shape": "grid", "size": 280, "center": [-146, 0, 0]},
            "colors": ["#1d3f8a", "#2f9bff", "#7fe3ff"], "colorBy": "scale", "range": [0.88, 1.3]
          },
          "phases": [
            {"target": [1, 0], "spring": "smooth"},
            {"target": [1.25, 4], "spring": {"duration": 0.35, "bounce": 0.3}},
            {"target": [0.9, -1], "spring": "snappy"}
          ],
          "stagger": {"over": 2, "from": "center", "columns": "square"}
        },
        {
          "name": "reaction", "count": 5000,
          "look": {
            "mark": "disc", "size": 2.7, "axes": {"z": "lift", "size": "scale"},
            "place": {"shape": "grid", "size": 280, "center": [146, 0, 0]},
            "colors": ["#5a1a4a", "#d63a4a", "#ff8a3c", "#ffc94a"], "colorBy": "lift", "range": [-3, 27]
          },
          "phases": [
            {"target": [1, 0], "spring": "bouncy"},
            {"target": [0.8, -3], "spring": {"duration": 0.15, "bounce": 0}},
            {"target": [1.6, 20], "spring": {"duration": 0.3, "bounce": 0.2}},
            {"target": [1.2, 24], "spring": {"duration": 0.4, "bounce": 0.4}}
          ],
          "triggers": [
            {"at": 0.5, "waves": {"count": 60, "over": 1}, "from": "center", "columns": "square"},
            {"at": 4, "waves": {"count": 60, "over": 0.6}, "from": "center", "columns": "square"},
            {"at": 4.7, "waves": {"count": 60, "over": 0.6}, "from": "center", "columns": "square"}
          ]
        }
      ]
    }
    """
}
