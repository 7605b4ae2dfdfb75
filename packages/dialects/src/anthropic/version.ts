/** The version sent to the API where a client names none; every request must name one. */
export const API_VERSION = '2023-06-01'
