// SPDX-License-Identifier: MIT
// One import for users: the model's names are part of this library's.
@_exported public import AnimationModel
