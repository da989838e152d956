const list = new Intl.ListFormat('en-US')

/** 'role, group, and company'. */
export const formatList = (items: readonly string[]) => list.format(items)
