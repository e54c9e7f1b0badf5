// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// A million particles in one batch, most of them asleep, as in a game.
  static let meadow = """
    {
      "murmuration": 1,
      "name": "meadow",
      "description": "A meadow of a million particles, asleep but where a pointer passes: those near it swirl after it, swing back and fall asleep again, while ten bursts throw up sparks that fly, settle and die.",
      "dimensions": 2,
      "framesPerSecond": 60,
      "duration": 12,
      "seed": 11,
      "look": {
        "camera": {"bounds": [[-300, -500, 0], [300, 250, 0]], "elevation": 38, "azimuth": 0, "lens": 34},
        "background": {"dark": ["#0b1526", "#04120b"], "light": ["#dfeaf5", "#f4f7ec"]},
        "still": 9.02
      },
      "groups": [
        {
          "name": "meadow", "count": 1000000,
          "spring": {"duration": 0.7, "bounce": 0.25},
          "start": {"shape": "grid", "size": 1000},
          "look": {
            "size": 0.9, "strength": 0.4, "colors": ["#1d6b3c", "#9fd356", "#ffd75e", "#fff6d5"], "range": [0, 320]
          },
          "pointer": {
            "radius": 60, "pull": 0.55, "twist": 0.3, "reach": 440, "pace": 0.13,
            "spring": {"duration": 0.25, "bounce": 0.1}
          },
          "bursts": [
            {"at": 0.5, "share": 0.01, "from": [-250, 200], "speed": [200, 1600],
              "target": {"shape": "disc", "center": [-250, 200], "size": 240, "shuffled": true},
              "springs": {"duration": [0.5, 1.5], "bounce": [0, 0.4]}},
            {"at": 1.25, "share": 0.01, "from": [260, 240], "speed": [400, 900],
              "target": {"shape": "star", "center": [260, 240], "size": 260, "shuffled": true},
              "spring": {"duration": 1, "bounce": 0.3}},
            {"at": 2.5, "share": 0.01, "from": [0, -280], "speed": [200, 1600],
              "target": {"shape": "heart", "center": [0, -280], "size": 260, "shuffled": true},
              "springs": {"duration": [0.5, 1.5], "bounce": [0, 0.4]}},
            {"at": 3.75, "share": 0.01, "from": [-300, -200], "speed": [800, 1000],
              "target": {"shape": "circle", "center": [-300, -200], "size": 220, "shuffled": true},
              "spring": {"duration": 1.2, "bounce": 0.45}},
            {"at": 4.5, "share": 0.01, "from": [300, -120], "speed": [200, 2400],
              "target": {"shape": "cloud", "center": [300, -120], "size": 320},
              "springs": {"duration": [0.6, 1.8], "bounce": [-0.2, 0.5]}},
            {"at": 5.5, "share": 0.01, "from": [0, 120], "speed": [600, 1200],
              "target": {"shape": "spiral", "center": [0, 120], "size": 260, "shuffled": true},
              "spring": {"duration": 1, "bounce": 0.3}},
            {"at": 6.5, "share": 0.01, "from": [-320, 300], "speed": [200, 1600],
              "target": {"shape": "star", "center": [-320, 300], "size": 240, "shuffled": true},
              "springs": {"duration": [0.5, 1.5], "bounce": [0, 0.4]}},
            {"at": 7.25, "share": 0.01, "from": [320, 320], "speed": [200, 2400],
              "target": {"shape": "cloud", "center": [320, 320], "size": 300},
              "springs": {"duration": [0.6, 1.8], "bounce": [-0.2, 0.5]}},
            {"at": 8, "share": 0.01, "from": [-180, -320], "speed": [500, 1100],
              "target": {"shape": "heart", "center": [-180, -320], "size": 240, "shuffled": true},
              "spring": {"duration": 1, "bounce": 0.3}},
            {"at": 8.75, "share": 0.01, "from": [180, -300], "speed": [200, 1600],
              "target": {"shape": "disc", "center": [180, -300], "size": 240, "shuffled": true},
              "springs": {"duration": [0.5, 1.5], "bounce": [0, 0.4]}}
          ]
        }
      ]
    }
    """
}
