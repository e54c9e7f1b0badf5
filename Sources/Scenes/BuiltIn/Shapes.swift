// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// 100 000 particles form one shape after another.
  static let shapes = """
    {
      "murmuration": 1,
      "name": "shapes",
      "description": "100 000 particles form a star, a heart, a spiral, then rings about a disc: bouncy, smooth, flattened and mixed springs side by side.",
      "dimensions": 2,
      "framesPerSecond": 60,
      "duration": 12,
      "seed": 1,
      "look": {"camera": {"bounds": [[-104, -104], [104, 104]]}, "still": 1.22},
      "groups": [
        {
          "name": "bouncy", "count": 25000,
          "spring": {"duration": 0.8, "bounce": 0.4},
          "look": {"size": 1.1, "strength": 0.45, "colors": ["#2f7dff", "#7fe0ff", "#ffffff"], "range": [0, 160]},
          "start": {"shape": "grid", "size": 36, "center": [-50, 50]},
          "events": [
            {"at": 1, "target": {"shape": "star", "size": 90, "center": [-50, 50]}},
            {"at": 3.5, "target": {"shape": "heart", "size": 80, "center": [-50, 50]}},
            {"at": 6, "target": {"shape": "spiral", "size": 90, "center": [-50, 50]}, "waves": {"count": 60, "over": 1}},
            {"at": 9, "target": {"shape": "disc", "size": 90}, "spring": "bouncy"}
          ]
        },
        {
          "name": "smooth", "count": 25000,
          "spring": {"duration": 0.8, "bounce": 0},
          "look": {"size": 1.1, "strength": 0.45, "colors": ["#12c98a", "#b6ff9a", "#ffffff"], "range": [0, 160]},
          "start": {"shape": "grid", "size": 36, "center": [50, 50]},
          "events": [
            {"at": 1, "target": {"shape": "star", "size": 90, "center": [50, 50]}},
            {"at": 3.5, "target": {"shape": "heart", "size": 80, "center": [50, 50]}},
            {"at": 6, "target": {"shape": "spiral", "size": 90, "center": [50, 50]}, "waves": {"count": 60, "over": 1}},
            {"at": 9, "target": {"shape": "circle", "size": 120}, "spring": "smooth"}
          ]
        },
        {
          "name": "flattened", "count": 25000,
          "spring": {"duration": 0.8, "bounce": -0.4},
          "look": {"size": 1.1, "strength": 0.45, "colors": ["#ff5a36", "#ffc46b", "#ffffff"], "range": [0, 160]},
          "start": {"shape": "grid", "size": 36, "center": [-50, -50]},
          "events": [
            {"at": 1, "target": {"shape": "star", "size": 90, "center": [-50, -50]}},
            {"at": 3.5, "target": {"shape": "heart", "size": 80, "center": [-50, -50]}},
            {"at": 6, "target": {"shape": "spiral", "size": 90, "center": [-50, -50]}, "waves": {"count": 60, "over": 1}},
            {"at": 9, "target": {"shape": "circle", "size": 150}, "spring": {"duration": 0.8, "bounce": -0.4}}
          ]
        },
        {
          "name": "mixed", "count": 25000,
          "springs": {"duration": [0.4, 1.4], "bounce": [-0.5, 0.7]},
          "look": {"size": 1.1, "strength": 0.45, "colors": ["#d13cff", "#ff9be8", "#ffffff"], "range": [0, 160]},
          "start": {"shape": "grid", "size": 36, "center": [50, -50]},
          "events": [
            {"at": 1, "target": {"shape": "star", "size": 90, "center": [50, -50]}},
            {"at": 3.5, "target": {"shape": "heart", "size": 80, "center": [50, -50]}},
            {"at": 6, "target": {"shape": "spiral", "size": 90, "center": [50, -50]}, "waves": {"count": 60, "over": 1}},
            {"at": 9, "target": {"shape": "circle", "size": 180}}
          ]
        }
      ]
    }
    """
}
