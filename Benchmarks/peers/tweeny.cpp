// SPDX-License-Identifier: MIT
// What a frame of eases takes in tweeny, a library in C++ that Debian has as libtweeny-dev: curves and lengths of their own,
// one step of a millisecond each. Scripts/figures builds it and gives the number of tweens. Prints milliseconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <tweeny/tweeny.h>

int main(int, char **arguments) {
  using tweeny::easing;
  std::mt19937 random(23);
  std::vector<tweeny::tween<float>> tweens;
  for (int count = std::atoi(arguments[1]); count > 0; count--) {
    const float goal = std::uniform_real_distribution<float>(-100, 100)(random);
    auto tween = tweeny::from(0.0f).to(goal).during(static_cast<uint16_t>(40000 + random() % 20000));
    switch (random() % 4) {
      case 0: tweens.push_back(tween.via(easing::quadraticIn)); break;
      case 1: tweens.push_back(tween.via(easing::quadraticOut)); break;
      case 2: tweens.push_back(tween.via(easing::quadraticInOut)); break;
      default: tweens.push_back(tween.via(easing::linear));
    }
  }
  std::vector<float> values(tweens.size());
  double best = 1e9;
  for (int round = 0; round < 200; round++) {
    const auto start = std::chrono::steady_clock::now();
    for (size_t index = 0; index < tweens.size(); index++) values[index] = tweens[index].step(1);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  // They are on their way; used, the values are not left out.
  if (std::any_of(values.begin(), values.end(), [](float value) { return !(value > -100 && value < 100); })) return 1;
  std::printf("%.4f\n", best);
}
