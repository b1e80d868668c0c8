/**
 * `npm run bench -- charts <file>`: the charts of docs/performance.md, from a file that `--json` wrote. Drawn in the colors of the reader's
 * system, light or dark.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { scaleLinear } from 'd3-scale'
import { escaped } from './profile/flame.ts'
import type { RequestResult, Results } from './results.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs', 'charts')

/** Of a chart. */
const WIDTH = 860
const NAMES = 170
const VALUES = 130
const BAR = 15
const GAP = 14
const TOP = 54

/** A line of bars: each is a stack of parts. */
interface Line {
  readonly name: string
  readonly bars: readonly { readonly parts: readonly { readonly value: number; readonly kind: string }[]; readonly says: string }[]
}

/** Draws the charts and returns their files. */
export async function drawCharts(file: string): Promise<string[]> {
  const { requests } = JSON.parse(await readFile(file, 'utf8')) as Results
  const lines = requests.filter(request => request.ready !== null)
  if (lines.length === 0) throw new Error(`${file} has no requests beside ready answers`)
  await mkdir(folder, { recursive: true })
  const charts = {
    'processor.svg': bars('Processor time of a request, ms: Ingot above, a handler with ready answers below', lines.map(processorOf), [
      ['node', 'Node'],
      ['postgresql', 'PostgreSQL'],
    ]),
    'shares.svg': bars('Share of each floor, by processor time, %', lines.map(sharesOf), [
      ['statements', 'of a handler that runs the same statements'],
      ['ready', 'of a handler with ready answers'],
    ]),
  }
  for (const [name, svg] of Object.entries(charts)) await writeFile(join(folder, name), svg)
  return Object.keys(charts).map(name => relative(root, join(folder, name)))
}

function processorOf({ name, target, ready }: RequestResult): Line {
  const bar = ({ program, database }: { readonly program: number; readonly database: number }) => ({
    parts: [
      { value: program, kind: 'node' },
      { value: database, kind: 'postgresql' },
    ],
    says: `${program.toFixed(2)} + ${database.toFixed(2)}`,
  })
  return { name, bars: [target, ...(ready ? [ready] : [])].map(bar) }
}

function sharesOf({ name, target, floor, ready }: RequestResult): Line {
  const spent = ({ program, database }: { readonly program: number; readonly database: number }) => program + database
  const bar = (kind: string, side: RequestResult['target']) => {
    const value = (spent(side) / spent(target)) * 100
    return { parts: [{ value, kind }], says: `${value.toFixed(0)} %` }
  }
  return { name, bars: [bar('statements', floor), ...(ready ? [bar('ready', ready)] : [])] }
}

const style = `
  text { font: 12px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 14px; font-weight: 600 } .value { fill: #59636e }
  .axis { stroke: #d1d9e0 } .node, .statements { fill: #0969da } .postgresql, .ready { fill: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .value { fill: #9198a1 } .axis { stroke: #3d444d }
    .node, .statements { fill: #4493f8 } .postgresql, .ready { fill: #3fb950 }
  }`

function bars(title: string, lines: readonly Line[], legend: readonly (readonly [kind: string, name: string])[]): string {
  const lengths = lines.flatMap(line => line.bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0)))
  const scale = scaleLinear([0, Math.max(...lengths)], [0, WIDTH - NAMES - VALUES]).nice()
  const drawn: string[] = []
  let y = TOP
  for (const { name, bars } of lines) {
    drawn.push(`<text x="${NAMES - 10}" y="${y + (bars.length * BAR) / 2 + 4}" text-anchor="end">${escaped(name)}</text>`)
    for (const { parts, says } of bars) {
      let x = NAMES
      for (const { value, kind } of parts) {
        const width = scale(value)
        drawn.push(`<rect class="${kind}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${BAR - 2}"/>`)
        x += width
      }
      drawn.push(`<text class="value" x="${(x + 6).toFixed(1)}" y="${y + 11}">${escaped(says)}</text>`)
      y += BAR
    }
    y += GAP
  }
  const ticks = scale.ticks(6).map(tick => {
    const x = (NAMES + scale(tick)).toFixed(1)
    return `<line class="axis" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${y - GAP + 4}"/><text class="value" x="${x}" y="${y + 8}" text-anchor="middle">${tick}</text>`
  })
  let at = NAMES
  const keys = legend.map(([kind, name]) => {
    const key = `<rect class="${kind}" x="${at}" y="28" width="11" height="11"/><text x="${at + 16}" y="38">${escaped(name)}</text>`
    at += 40 + name.length * 6.5
    return key
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 20}" role="img" aria-label="${escaped(title)}">
<style>${style}
</style>
<text class="title" x="8" y="18">${escaped(title)}</text>
${[...keys, ...ticks, ...drawn].join('\n')}
</svg>
`
}
