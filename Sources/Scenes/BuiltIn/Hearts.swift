// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// 10 000 hearts leap one after another: keyframes for four properties that move side by side.
  ///
  /// Each heart crouches (anticipation), leaps and stretches, hangs in the air and wags, lands, is squashed and settles.
  static let hearts = """
    {
      "murmuration": 1,
      "name": "hearts",
      "description": "10 000 hearts leap in a ripple: each crouches, stretches, wags in the air, lands squashed and settles. Scale, vertical stretch, vertical translation in points and rotation in degrees, for a grid of 100 by 100 hearts.",
      "dimensions": 4,
      "components": ["scale", "stretch", "translation", "rotation"],
      "framesPerSecond": 60,
      "duration": 7,
      "look": {
        "camera": {"bounds": [[-760, -1990, 0], [760, -700, 160]], "azimuth": 0, "elevation": 26, "lens": 36},
        "background": {"dark": ["#1c0a1a", "#0a0510"], "light": ["#fff4f2", "#ffe6e6"]},
        "still": 2
      },
      "groups": [
        {
          "name": "hearts", "count": 10000,
          "stagger": {"over": 3, "from": "center", "columns": "square"},
          "look": {
            "mark": "heart", "size": 27,
            "axes": {"z": "translation", "size": "scale", "stretch": "stretch", "turn": "rotation"},
            "place": {"shape": "grid", "size": 4000},
            "colors": ["#8f1239", "#e11d48", "#ff7a90", "#ffe0e0"], "colorBy": "translation", "range": [-25, 75]
          },
          "timelines": [
            {"initialValue": 1, "track": [
              {"type": "linear", "to": 1, "duration": 0.3},
              {"type": "spring", "to": 1.4, "duration": 0.85, "spring": "bouncy"},
              {"type": "spring", "to": 1, "spring": {"duration": 0.6, "bounce": 0.25}}
            ]},
            {"initialValue": 1, "track": [
              {"type": "cubic", "to": 0.7, "duration": 0.28},
              {"type": "cubic", "to": 1.45, "duration": 0.14},
              {"type": "cubic", "to": 1.05, "duration": 0.3},
              {"type": "cubic", "to": 1, "duration": 0.58},
              {"type": "cubic", "to": 0.72, "duration": 0.12},
              {"type": "spring", "to": 1, "spring": {"duration": 0.5, "bounce": 0.45}}
            ]},
            {"initialValue": 0, "track": [
              {"type": "cubic", "to": -12, "duration": 0.28},
              {"type": "cubic", "to": 70, "duration": 0.4, "endVelocity": 0},
              {"type": "linear", "to": 66, "duration": 0.3, "timingCurve": "easeInOut"},
              {"type": "cubic", "to": 0, "duration": 0.32, "startVelocity": 0, "endVelocity": -420},
              {"type": "spring", "to": 0, "spring": {"duration": 0.4, "bounce": 0.2}, "startVelocity": -90}
            ]},
            {"initialValue": 0, "track": [
              {"type": "linear", "to": 0, "duration": 0.5},
              {"type": "cubic", "to": 14, "duration": 0.13},
              {"type": "cubic", "to": -14, "duration": 0.16},
              {"type": "cubic", "to": 10, "duration": 0.16},
              {"type": "cubic", "to": 0, "duration": 0.2}
            ]}
          ]
        }
      ]
    }
    """
}
