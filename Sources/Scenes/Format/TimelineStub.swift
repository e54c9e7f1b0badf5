extension TimelineDescription {
  var duration: Double { 0 }
}
