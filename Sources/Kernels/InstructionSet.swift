/// The vector types and the few operations a kernel needs of one instruction set.
public protocol InstructionSet {}
