// SPDX-License-Identifier: MIT
// Clips are made of the model's curves and keyframes: its names are part of this library's.
@_exported public import AnimationModel
