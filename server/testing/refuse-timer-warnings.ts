// Node fires a timer with a negative or too long delay after 1 ms and only warns. Here the warning fails the
// run.
const refuse = (warning: Error) => {
  if (/^Timeout\w*Warning$/.test(warning.name)) throw warning
}
// Files share a process, and this runs before each of them.
if (!process.listeners('warning').some(({ name }) => name === refuse.name)) process.on('warning', refuse)
