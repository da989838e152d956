const whole = new Intl.NumberFormat('en-US')

export const formatCount = (count: number) => whole.format(count)

/** '1 terminal', '1,200 terminals'. */
export const formatTerminals = (count: number) => `${formatCount(count)} ${count === 1 ? 'terminal' : 'terminals'}`
