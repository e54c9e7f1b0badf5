// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// 10 000 boxes that tween to and fro for ever, as a user of a tween library writes them.
  static let tweens = """
    {
      "murmuration": 1,
      "name": "tweens",
      "description": "10 000 boxes whose x, y, scale and opacity are eased out in 0.3 to 0.8 s, and back, for ever: from the middle to the edges they set out one after another, each with a delay of its own.",
      "dimensions": 4,
      "components": ["x", "y", "scale", "opacity"],
      "framesPerSecond": 60,
      "duration": 6,
      "seed": 4,
      "look": {"camera": {"bounds": [[-150, -90, 0], [150, 90, 1]], "elevation": 90, "azimuth": 0}, "still": 2.5},
      "groups": [
        {
          "name": "boxes", "count": 10000,
          "look": {
            "mark": "disc", "size": 1.1, "axes": {"x": "x", "y": "y", "size": "scale"},
            "colors": ["#1a2a5a", "#3f8cff", "#d8f0ff"], "colorBy": "opacity", "range": [0.2, 1]
          },
          "start": {"shape": "grid", "size": [240, 150, 0, 0], "center": [0, 0, 1, 1]},
          "animation": {
            "curve": "easeOut", "duration": [0.3, 0.8], "delay": [0, 0.2], "repeats": "forever", "autoreverses": true
          },
          "stagger": {"over": 1.5, "from": "center", "columns": "square", "ease": "easeOutQuad"},
          "events": [
            {"at": 0.5, "target": {"shape": "grid", "size": [280, 170, 0, 0], "center": [0, 4, 0.6, 0.3]}}
          ]
        }
      ]
    }
    """
}
