// SPDX-License-Identifier: MIT
// One import for users: the names of the model, of clips and of the engine are part of this library's.
@_exported public import AnimationModel
@_exported public import MurmurationClips
@_exported public import MurmurationEngine
