// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// A flock in which every bird has its own spring and follows a path that wanders.
  static let murmuration = """
    {
      "murmuration": 1,
      "name": "murmuration",
      "description": "A flock of 50 000 starlings at dusk, each with a spring of its own. They head for a stretch of a path that wanders, the first of them for its past and the last for its future, and look up one after another: the flock bends, folds and stretches, and waves of density run through it.",
      "dimensions": 3,
      "framesPerSecond": 60,
      "duration": 20,
      "seed": 4,
      "look": {
        "camera": {"bounds": [[-146, -90, -92], [146, 90, 92]], "azimuth": 0, "elevation": 4, "lens": 38},
        "background": {
          "dark": ["#1d2a4a", "#f2a66f"], "light": ["#bcd0ea", "#fdebd3"], "ink": true
        },
        "still": 15.3
      },
      "groups": [
        {
          "name": "flock", "count": 38000,
          "springs": {"duration": [0.5, 1.5], "bounce": [0, 0.3]},
          "start": {"shape": "cloud", "size": [160, 60, 60]},
          "wander": {
            "every": 0.3, "waves": 24, "reach": 105, "pace": 0.1, "length": 4.5,
            "density": {"crests": 4, "pace": 0.45, "depth": 0.75},
            "around": {"shape": "cloud", "size": [70, 70, 60]}
          },
          "look": {"size": 0.95, "strength": 1.1, "colors": ["#17181d"]}
        },
        {
          "name": "second flock", "count": 10000,
          "springs": {"duration": [0.6, 2], "bounce": [0, 0.35]},
          "start": {"shape": "cloud", "size": [120, 60, 60]},
          "wander": {
            "every": 0.3, "waves": 20, "reach": 105, "pace": 0.1, "length": 2.5,
            "density": {"crests": 2, "pace": 0.6, "depth": 0.7},
            "around": {"shape": "cloud", "size": [60, 60, 40]}
          },
          "look": {"size": 0.95, "strength": 1.1, "colors": ["#17181d"]}
        },
        {
          "name": "stragglers", "count": 2000,
          "springs": {"duration": [1, 5], "bounce": [-0.2, 0.6]},
          "start": {"shape": "cloud", "size": 260},
          "wander": {
            "every": 0.8, "waves": 16, "reach": 105, "pace": 0.1, "length": 6,
            "around": {"shape": "cloud", "size": 130}
          },
          "look": {"size": 0.95, "strength": 1.1, "colors": ["#17181d"]}
        }
      ]
    }
    """
}
