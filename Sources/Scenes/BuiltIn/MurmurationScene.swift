// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// A flock in which every bird has its own spring and follows a point that wanders.
  static let murmuration = """
    {
      "murmuration": 1,
      "name": "murmuration",
      "description": "A flock of 50 000 birds in three dimensions, each with a spring of its own, in pursuit of a point that wanders; they look up one after another, never all at once.",
      "dimensions": 3,
      "framesPerSecond": 60,
      "duration": 20,
      "seed": 4,
      "groups": [
        {
          "name": "flock", "count": 44000,
          "springs": {"duration": [0.8, 5], "bounce": [0, 0.45]},
          "start": {"shape": "cloud", "size": [160, 60, 60]},
          "wander": {
            "every": 0.4, "waves": 24, "reach": 120, "pace": 0.22,
            "around": {"shape": "cloud", "size": [70, 50, 50]}
          }
        },
        {
          "name": "stragglers", "count": 6000,
          "springs": {"duration": [1.5, 8], "bounce": [-0.2, 0.6]},
          "start": {"shape": "cloud", "size": 260},
          "wander": {
            "every": 0.8, "waves": 16, "reach": 120, "pace": 0.22,
            "around": {"shape": "cloud", "size": 120}
          }
        }
      ]
    }
    """
}
