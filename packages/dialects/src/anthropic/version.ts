/** What the API is asked by where a client names no version of its own; every request must name one. */
export const API_VERSION = '2023-06-01'
