import type { Page } from '@playwright/test'

/**
 * Milliseconds that the two tasks below take on the machine for which the time budgets were chosen; slower machines get larger
 * budgets. A shared machine may count at full speed and yet draw at half speed, so both are measured.
 */
const REFERENCE_MS = { counting: 43, drawing: 29 } as const

/** How much slower this machine is now than the reference, at least 1: the best of five runs of the same tasks. */
export async function slowness(page: Page): Promise<number> {
  const runs: (keyof typeof REFERENCE_MS)[][] = Array.from({ length: 5 }, () => ['counting', 'drawing'])
  const best = { counting: Infinity, drawing: Infinity }
  for (const work of runs.flat()) {
    const took = await page.evaluate(work === 'counting' ? count : draw)
    best[work] = Math.min(best[work], took)
  }
  return Math.max(1, best.counting / REFERENCE_MS.counting, best.drawing / REFERENCE_MS.drawing)
}

function count(): number {
  const begun = performance.now()
  let number = 1
  for (let i = 0; i < 30_000_000; i++) number = (Math.imul(number, 1_103_515_245) + 12_345) & 0x7fffffff
  return number < 0 ? 0 : performance.now() - begun
}

/** Makes, styles and lays out rows like those of a list, and removes them. */
function draw(): number {
  const begun = performance.now()
  const box = document.createElement('div')
  for (let row = 0; row < 400; row++) {
    const line = document.createElement('div')
    line.className = 'grid gap-2 px-3'
    for (let cell = 0; cell < 6; cell++) {
      const text = document.createElement('span')
      text.className = 'truncate text-sm'
      text.textContent = `row ${row} cell ${cell}`
      line.append(text)
    }
    box.append(line)
  }
  document.body.append(box)
  const height = box.offsetHeight
  box.remove()
  return height < 0 ? 0 : performance.now() - begun
}
