// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// 100 cloths plucked by hands: springs and one matrix product a frame.
  static let cloths = """
    {
      "murmuration": 1,
      "name": "cloths",
      "description": "100 cloths of 40 by 40 points, tight between frames of wood: hands pull at them here and there, let go, and waves run. The 200 slowest modes of each are springs, and all 160 000 points one matrix product a frame.",
      "dimensions": 3,
      "framesPerSecond": 60,
      "duration": 8,
      "seed": 6,
      "look": {
        "camera": {
          "bounds": [[-17, -20, -2], [17, 13, 5]], "azimuth": 22, "elevation": 27, "lens": 36
        },
        "still": 5
      },
      "groups": [
        {
          "name": "cloths", "count": 160000,
          "network": {
            "form": "cloth", "columns": 40, "rows": 40, "size": 10, "stiffness": 1600, "shear": 400,
            "anchors": "border", "modes": 200, "damping": {"mass": 0.4, "stiffness": 0.0015}
          },
          "start": {"shape": "grid", "size": 110},
          "look": {
            "size": 1, "strength": 0.9,
            "colors": ["#ff2d6f", "#8a2f9a", "#2b46b0", "#1f8fd6", "#3fd0c9", "#ffd75e"], "range": [-1.3, 1.3]
          },
          "gestures": {"every": 2.5, "hold": 0.5, "reach": 2.5}
        }
      ]
    }
    """
}
