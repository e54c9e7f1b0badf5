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
          "name": "flock", "count": 46000,
          "springs": {"duration": [1.2, 3.2], "bounce": [0, 0.35]},
          "start": {"shape": "cloud", "size": [160, 60, 60]},
          "wander": {
            "every": 0.5, "waves": 30, "reach": 110, "pace": 0.12,
            "around": {"shape": "cloud", "size": [90, 70, 50]}
          }
        },
        {
          "name": "stragglers", "count": 4000,
          "springs": {"duration": [3, 6], "bounce": [-0.2, 0.5]},
          "start": {"shape": "cloud", "size": 240},
          "wander": {
            "every": 1, "waves": 20, "reach": 110, "pace": 0.12,
            "around": {"shape": "box", "size": [160, 120, 80]}
          }
        }
      ]
    }
    """
}
