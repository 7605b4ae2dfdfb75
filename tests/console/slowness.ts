import type { Page } from '@playwright/test'

/** Milliseconds that `stride` takes on the machine for which the times of the budgets were chosen; a slower one gets more of them. */
const REFERENCE_STRIDE_MS = 43

/** How much slower this machine is than the reference, at least 1: the best of five runs of the same work in the page. */
export async function slowness(page: Page): Promise<number> {
  const strides: number[] = []
  for (let run = 0; run < 5; run++) {
    const stride = await page.evaluate(() => {
      const begun = performance.now()
      let number = 1
      for (let i = 0; i < 30_000_000; i++) number = (Math.imul(number, 1_103_515_245) + 12_345) & 0x7fffffff
      return number < 0 ? 0 : performance.now() - begun
    })
    strides.push(stride)
  }
  return Math.max(1, Math.min(...strides) / REFERENCE_STRIDE_MS)
}
