/** Prints a measured value beside its limit and its aim; over the limit the process ends with exit code 1. */
export function checkBudget(
  name: string,
  { limit, aim }: { readonly limit: number; readonly aim: number },
  value: number,
): void {
  const result = value <= aim ? 'reached' : value <= limit ? 'within the limit' : 'EXCEEDED'
  console.log(`${name.padEnd(24)} ${value.toFixed(2)} (limit ${limit}, aim ${aim}): ${result}`)
  if (result === 'EXCEEDED' || Number.isNaN(value)) process.exitCode = 1
}
