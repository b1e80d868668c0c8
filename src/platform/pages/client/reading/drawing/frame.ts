/**
 * Draws one diagram. It runs in a frame without an origin (`diagramFrame`): what a diagram may contain beyond a picture reaches no page and no server.
 * The library loads the part for the kind of the diagram alone.
 */
import mermaid from 'mermaid'
import type { DrawReport, DrawRequest } from './messages.ts'

/** Lines between the boxes of one diagram. */
const MOST_EDGES = 500
/** Characters of a reason that are passed on. */
const REASON = 200

const place = document.body

// The page has no origin that could be named, nor has the frame.
const report = (said: DrawReport): void => window.parent.postMessage(said, '*')

async function draw({ source, isDark }: DrawRequest): Promise<void> {
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light'
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: source.length,
    maxEdges: MOST_EDGES,
    theme: isDark ? 'dark' : 'default',
    fontFamily: 'system-ui, sans-serif',
    // Labels as texts of the drawing: they are as wide as they were measured, whatever the fonts.
    htmlLabels: false,
    flowchart: { useMaxWidth: true },
  })
  try {
    const { svg } = await mermaid.render('diagram', source)
    place.innerHTML = svg
  } catch (error) {
    report({ kind: 'failed', reason: (error instanceof Error ? error.message : '').slice(0, REASON) })
    return
  }
  const title = place.querySelector('svg > title')?.textContent ?? ''
  const measure = () => report({ kind: 'drawn', height: Math.ceil(place.getBoundingClientRect().height), title })
  new ResizeObserver(measure).observe(place)
  measure()
}

let asked = ''
window.addEventListener('message', ({ data, source }: MessageEvent<DrawRequest>) => {
  // The same is asked for again where the frame was moved within its page. Opened by itself, the frame hears what it reports.
  if (source !== window.parent || source === window || asked === JSON.stringify(data)) return
  asked = JSON.stringify(data)
  void draw(data)
})

// Links of a diagram lead nowhere: they would load another page into the frame.
document.addEventListener('click', event => event.preventDefault(), { capture: true })

report({ kind: 'ready' })
