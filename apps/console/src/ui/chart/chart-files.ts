import { saveFile } from '~/lib/dom/save-file.ts'
import { csvText } from '~/lib/format/csv.ts'
import { type ChartSheet, type SheetSeries, sheetRows } from './chart-sheet.ts'
import { seriesFill } from './series-colours.ts'

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

export async function saveChartPicture(
  title: string,
  unit: string,
  plot: SVGSVGElement,
  series: readonly SheetSeries[],
): Promise<void> {
  const picture = await new Promise<Blob | null>((done) => paintChart(title, unit, plot, series).toBlob(done))
  if (picture !== null) saveFile(fileName(title, 'png'), picture, 'image/png')
}

/** Picture pixels per screen pixel, so that the picture is sharp in documents. */
const SCALE = 2
const MARGIN_PX = 16
const TITLE_PX = 48
const LEGEND_ROW_PX = 20

/** Draws onto a canvas, because the console's content security policy does not allow pictures made from SVG text. */
function paintChart(
  title: string,
  unit: string,
  plot: SVGSVGElement,
  series: readonly SheetSeries[],
): HTMLCanvasElement {
  const named = series.length > 1 ? series : []
  const width = plot.clientWidth + 2 * MARGIN_PX
  const plotBottom = MARGIN_PX + TITLE_PX + plot.clientHeight
  const canvas = document.createElement('canvas')
  canvas.width = width * SCALE
  canvas.height = (plotBottom + MARGIN_PX + named.length * LEGEND_ROW_PX) * SCALE
  const pen = canvas.getContext('2d')
  if (pen === null) return canvas
  const page = getComputedStyle(plot)
  const colour = colourReader(plot)
  pen.scale(SCALE, SCALE)
  pen.fillStyle = colour('var(--surface)')
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.textBaseline = 'alphabetic'
  pen.fillStyle = colour('var(--ink)')
  pen.font = `600 14px ${page.fontFamily}`
  pen.fillText(title, MARGIN_PX, MARGIN_PX + 14)
  pen.fillStyle = colour('var(--muted)')
  pen.font = `12px ${page.fontFamily}`
  pen.fillText(unit, MARGIN_PX, MARGIN_PX + 32)

  pen.save()
  pen.translate(MARGIN_PX, MARGIN_PX + TITLE_PX)
  for (const element of plot.querySelectorAll('path, line, text, circle')) {
    if (element.closest('pattern') === null) paintElement(pen, element)
  }
  pen.restore()

  named.forEach((one, index) => {
    const y = plotBottom + MARGIN_PX / 2 + index * LEGEND_ROW_PX
    pen.fillStyle = colour(seriesFill(one.colour))
    pen.fillRect(MARGIN_PX, y, 11, 11)
    pen.fillStyle = colour('var(--ink)')
    pen.fillText(one.name, MARGIN_PX + 20, y + 10)
  })
  return canvas
}

/** Resolves a style sheet colour in the current theme. */
function colourReader(near: Element): (colour: string) => string {
  const probe = document.createElement('span')
  return (colour) => {
    probe.style.color = colour
    near.parentElement?.append(probe)
    const read = getComputedStyle(probe).color
    probe.remove()
    return read
  }
}

function paintElement(pen: CanvasRenderingContext2D, element: Element): void {
  const style = getComputedStyle(element)
  // Textures are patterns of the document, which a canvas cannot use.
  const fill = style.fill === 'none' || style.fill.startsWith('url') ? undefined : style.fill
  const stroke = style.stroke === 'none' ? undefined : style.stroke
  pen.fillStyle = fill ?? 'transparent'
  pen.strokeStyle = stroke ?? 'transparent'
  pen.lineWidth = Number.parseFloat(style.strokeWidth) || 1
  pen.globalAlpha = Number(getComputedStyle(element.parentElement ?? element).opacity)
  if (element instanceof SVGTextElement) {
    const anchor = style.textAnchor
    pen.textAlign = anchor === 'middle' ? 'center' : anchor === 'end' ? 'end' : 'start'
    pen.font = `${style.fontSize} ${style.fontFamily}`
    const middled = element.hasAttribute('dy') ? Number.parseFloat(style.fontSize) * 0.32 : 0
    pen.fillText(element.textContent, attribute(element, 'x'), attribute(element, 'y') + middled)
  } else {
    const path = pathOf(element)
    if (fill !== undefined) pen.fill(path)
    if (stroke !== undefined) pen.stroke(path)
  }
  pen.globalAlpha = 1
}

function pathOf(element: Element): Path2D {
  if (element instanceof SVGPathElement) return new Path2D(element.getAttribute('d') ?? '')
  const path = new Path2D()
  if (element instanceof SVGLineElement) {
    path.moveTo(attribute(element, 'x1'), attribute(element, 'y1'))
    path.lineTo(attribute(element, 'x2'), attribute(element, 'y2'))
  } else {
    path.arc(attribute(element, 'cx'), attribute(element, 'cy'), attribute(element, 'r'), 0, 2 * Math.PI)
  }
  return path
}

function attribute(element: Element, name: string): number {
  return Number(element.getAttribute(name) ?? 0)
}
