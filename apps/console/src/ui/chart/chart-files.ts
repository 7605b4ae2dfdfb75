import { saveFile } from '~/lib/dom/save-file.ts'
import { csvText } from '~/lib/format/csv.ts'
import { paintChart } from './chart-picture.ts'
import { type ChartSheet, type SheetSeries, sheetRows } from './chart-sheet.ts'

/** `Model Usage` becomes `model-usage.csv`; names without a Latin letter stay as they are. */
function fileName(title: string, ending: string): string {
  return `${title
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.${ending}`
}

export function saveChartCsv(title: string, dayColumn: string, sheet: ChartSheet): void {
  saveFile(fileName(title, 'csv'), csvText(sheetRows(sheet, dayColumn)), 'text/csv;charset=utf-8')
}

/** The plot as it is on screen, in the colours of the theme, with its title above and its series below. */
export async function saveChartPicture(
  title: string,
  unit: string,
  plot: SVGSVGElement,
  series: readonly SheetSeries[],
): Promise<void> {
  const picture = await new Promise<Blob | null>((done) => paintChart(title, unit, plot, series).toBlob(done))
  if (picture !== null) saveFile(fileName(title, 'png'), picture, 'image/png')
}
