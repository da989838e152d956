// Exits with 0 if the process of this container responds. Readiness is for the proxy: it would restart a process because
// the database is away.
const { PORT = '8080' } = process.env
const response = await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal: AbortSignal.timeout(4_000) })
process.exitCode = response.status === 200 ? 0 : 1
