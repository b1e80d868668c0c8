/** Flame graphs: where time went, as boxes on those that called them. One SVG without anything outside. */

/** A box: its own share of the time and that of what it called. */
export interface Frame {
  readonly name: string
  /** Its own, in milliseconds. */
  self: number
  readonly children: Map<string, Frame>
}

export const frame = (name: string): Frame => ({ name, self: 0, children: new Map() })

/** The box of this name on `parent`. */
export function childOf(parent: Frame, name: string): Frame {
  const child = parent.children.get(name) ?? frame(name)
  parent.children.set(name, child)
  return child
}

export const totalOf = (box: Frame): number => [...box.children.values()].reduce((sum, child) => sum + totalOf(child), box.self)

/** The same boxes, each this many times as long. */
export const scaled = ({ name, self, children }: Frame, factor: number): Frame => ({
  name,
  self: self * factor,
  children: new Map([...children].map(([key, child]) => [key, scaled(child, factor)])),
})

const WIDTH = 1_600
const HEIGHT = 18
const MARGIN = 40
/** Narrower boxes are not seen. */
const NARROWEST = 0.4
/** Of a letter, on average. */
const LETTER = 6.4

/** Draws the boxes upon each other, the first at the top. `unit` is what a whole stands for, e.g. `ms a request`. */
export function flameGraph(title: string, root: Frame, unit: string): string {
  const whole = totalOf(root)
  const boxes: string[] = []
  let deepest = 0
  function draw(box: Frame, from: number, depth: number): void {
    const total = totalOf(box)
    const width = (total / whole) * WIDTH
    if (width < NARROWEST) return
    deepest = Math.max(deepest, depth)
    const x = (from / whole) * WIDTH
    const y = MARGIN + depth * HEIGHT
    const label = `${box.name}: ${total.toFixed(3)} ${unit}, ${((total / whole) * 100).toFixed(1)} %, itself ${box.self.toFixed(3)}`
    const letters = Math.floor((width - 6) / LETTER)
    const shown = letters < 3 ? '' : box.name.length > letters ? `${box.name.slice(0, letters - 1)}…` : box.name
    boxes.push(
      `<g><title>${escaped(label)}</title><rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(width - 0.3, 0.3).toFixed(1)}" height="${HEIGHT - 1}" fill="${colorOf(box.name)}"/>` +
        `${shown && `<text x="${(x + 3).toFixed(1)}" y="${y + 13}">${escaped(shown)}</text>`}</g>`,
    )
    let at = from + box.self
    for (const child of [...box.children.values()].sort((one, other) => totalOf(other) - totalOf(one))) {
      draw(child, at, depth + 1)
      at += totalOf(child)
    }
  }
  if (whole > 0) draw(root, 0, 0)
  const height = MARGIN + (deepest + 2) * HEIGHT
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="monospace" font-size="11">
<rect width="100%" height="100%" fill="#fff"/><text x="4" y="22" font-size="15">${escaped(title)}: ${whole.toFixed(3)} ${unit}</text>
${boxes.join('\n')}
</svg>
`
}

export const escaped = (text: string): string => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)

/** Warm colors, the same for the same name. */
function colorOf(name: string): string {
  let hash = 0
  for (const letter of name) hash = (hash * 31 + letter.charCodeAt(0)) % 997
  return `hsl(${10 + (hash % 45)} 85% ${68 + (hash % 14)}%)`
}
