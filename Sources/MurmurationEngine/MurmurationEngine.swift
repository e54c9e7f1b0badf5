// SPDX-License-Identifier: MIT
// Calls name animations and clips: the names of the model and of clips are part of this library's.
@_exported public import AnimationModel
@_exported public import MurmurationClips
