import fc from 'fast-check'

// A failing run must be reproducible. FAST_CHECK_SEED=N npm test draws other examples.
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1959) })
