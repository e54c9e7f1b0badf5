// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// A small scene that plays in a moment: a burst and its return.
  static let burst = """
    {
      "murmuration": 1,
      "name": "burst",
      "description": "2 000 sparks burst from a point onto a sphere, swell into a torus and fall back: small enough for a CSV.",
      "dimensions": 3,
      "framesPerSecond": 60,
      "duration": 4,
      "seed": 3,
      "look": {
        "camera": {"bounds": [[-50, -50, -42], [50, 50, 42]], "azimuth": 20, "elevation": 22, "lens": 35, "turns": 0.04},
        "trail": 0.08,
        "still": 1.85
      },
      "groups": [
        {
          "name": "sparks", "count": 2000,
          "springs": {"duration": [0.3, 1], "bounce": [0, 0.5]},
          "start": {"shape": "point"},
          "look": {
            "size": 2, "strength": 0.9, "colors": ["#ff6a1a", "#ffb347", "#fff1c9"], "range": [0, 260]
          },
          "events": [
            {"at": 0.25, "target": {"shape": "sphere", "size": 100}},
            {"at": 1.5, "target": {"shape": "torus", "size": 160}, "springs": {"duration": [0.5, 0.9], "bounce": -0.2}},
            {"at": 2.75, "target": {"shape": "point"}, "waves": {"count": 40, "over": 0.5}}
          ]
        }
      ]
    }
    """
}
