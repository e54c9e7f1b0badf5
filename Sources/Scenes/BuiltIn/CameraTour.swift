// SPDX-License-Identifier: MIT

extension BuiltInScene {
  /// 2 000 cameras, each on a tour: keyframes for heading and distance.
  static let cameraTour = """
    {
      "murmuration": 1,
      "name": "camera-tour",
      "description": "2 000 cameras over a map go round and round, each from a start of its own and at its own pace: the centre, the heading in degrees and the distance are tracks of their own. Half way hands take most of them, draw them aside and let go in motion: springs take over, and some of these tours are taken up again from there. The others are sent back to the beginning while they move.",
      "dimensions": 4,
      "components": ["x", "y", "heading", "distance"],
      "framesPerSecond": 60,
      "duration": 12,
      "seed": 8,
      "look": {"camera": {"bounds": [[-1490, -835], [1490, 835]]}, "still": 5.4},
      "groups": [
        {
          "name": "left", "count": 800,
          "look": {
            "mark": "arrow", "size": 1.7, "axes": {"x": "x", "y": "y", "turn": "heading", "size": "distance"},
            "colors": ["#204a9c", "#33b6ff", "#d6f4ff"], "colorBy": "heading", "range": [-40, 160]
          },
          "timelines": \(tour),
          "stagger": {"over": 4, "from": "random"},
          "playback": {"speed": [0.8, 1.25], "repeats": "forever"},
          "offsets": {"shape": "grid", "size": [900, 1560, 0, 0], "center": [-1000, 0, 0, 0]},
          "grab": {
            "at": 5, "hold": 0.6, "drag": [12, -8, 25, -4], "waves": {"count": 50, "over": 1},
            "from": "center", "columns": "square",
            "release": {"spring": {"duration": 0.7, "bounce": 0.1}, "glide": 0.25}
          }
        },
        {
          "name": "resumed", "count": 600,
          "look": {
            "mark": "arrow", "size": 1.7, "axes": {"x": "x", "y": "y", "turn": "heading", "size": "distance"},
            "colors": ["#7a1fa2", "#ff5fb0", "#ffe3f1"], "colorBy": "heading", "range": [-40, 160]
          },
          "timelines": \(tour),
          "stagger": {"over": 4, "from": "random"},
          "playback": {"speed": [0.8, 1.25], "repeats": "forever"},
          "offsets": {"shape": "grid", "size": [900, 1560, 0, 0]},
          "grab": {
            "at": 5, "hold": 0.6, "drag": [-10, 9, -30, 5], "waves": {"count": 50, "over": 1},
            "from": "center", "columns": "square",
            "release": {"spring": {"duration": 0.7, "bounce": 0.1}, "glide": 0.25, "resume": 0.6}
          }
        },
        {
          "name": "pushed", "count": 600,
          "look": {
            "mark": "arrow", "size": 1.7, "axes": {"x": "x", "y": "y", "turn": "heading", "size": "distance"},
            "colors": ["#0d6b4f", "#3fe08a", "#e6ffd9"], "colorBy": "heading", "range": [-40, 160]
          },
          "timelines": \(tour),
          "stagger": {"over": 4, "from": "random"},
          "playback": {"speed": [0.8, 1.25], "repeats": "forever"},
          "offsets": {"shape": "grid", "size": [900, 1560, 0, 0], "center": [1000, 0, 0, 0]},
          "grab": {"at": 5, "waves": {"count": 50, "over": 1}, "from": "center", "columns": "square"}
        }
      ]
    }
    """

  /// A tour of four seconds that ends where it begins.
  private static let tour = """
    [
            {"initialValue": 0, "track": [
              {"type": "cubic", "to": 10, "duration": 1},
              {"type": "cubic", "to": 4, "duration": 1},
              {"type": "cubic", "to": -9, "duration": 1.2},
              {"type": "cubic", "to": 0, "duration": 0.8}
            ]},
            {"initialValue": 0, "track": [
              {"type": "cubic", "to": 3, "duration": 1.1},
              {"type": "cubic", "to": 11, "duration": 1.1},
              {"type": "spring", "to": 0, "duration": 1.8, "spring": {"duration": 0.7, "bounce": 0.1}}
            ]},
            {"initialValue": 0, "track": [
              {"type": "linear", "to": 0, "duration": 0.4},
              {"type": "cubic", "to": 90, "duration": 1.2},
              {"type": "cubic", "to": 140, "duration": 1.2},
              {"type": "cubic", "to": 0, "duration": 1.2}
            ]},
            {"initialValue": 30, "track": [
              {"type": "spring", "to": 12, "duration": 1.5, "spring": "snappy"},
              {"type": "linear", "to": 18, "duration": 1, "timingCurve": "easeInOut"},
              {"type": "spring", "to": 30, "duration": 1.5, "spring": "smooth"}
            ]}
          ]
    """
}
