// SPDX-License-Identifier: MIT
// One import for users: the names of the model and of clips are part of this library's.
@_exported public import AnimationModel
@_exported public import MurmurationClips
