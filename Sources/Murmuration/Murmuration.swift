@_exported public import AnimationModel
