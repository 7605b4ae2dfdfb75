/** Heights of plots, in pixels; known to the page before the code of the charts has loaded. */
export const PLOT_HEIGHT = { line: 124, bars: 280 } as const
