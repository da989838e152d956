// Node runs a timer with a negative or too long delay after 1 ms and only warns. Here the warning fails the run.
process.on('warning', (warning) => {
  if (/^Timeout\w*Warning$/.test(warning.name)) throw warning
})
