export const getChartHeightPx = (isExpanded: boolean) => (isExpanded ? 320 : 160)
