// Preloaded into the server: when the script that started it ends, even by SIGKILL, the channel between them closes.
if (process.channel) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  process.channel.unref()
}
