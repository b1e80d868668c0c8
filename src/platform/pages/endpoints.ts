/** What all pages share: the files that browsers load, and the gallery of components. */
import { root } from '../kernel/declaration/dialect.ts'
import { bytes, endpoint } from '../kernel/declaration/endpoint.ts'
import { inInstance } from '../kernel/declaration/scope.ts'
import { text } from '../kernel/declaration/types.ts'
import { notFound } from '../kernel/errors.ts'
import { ASSETS_PATH, assetPath, readAsset } from './assets/files.ts'
import { gallery } from './components/gallery.ts'
import { pageEndpoint } from './forms/declare.ts'
import { page } from './frame/document.ts'
import { html } from './html.ts'

const OPEN = { 'access-control-allow-origin': '*' }

export const getAsset = endpoint({
  route: `GET ${ASSETS_PATH}/:asset`,
  summary: 'Get a script, style sheet or picture of the pages',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  counted: false,
  params: { asset: text('Name of a built file', { maxLength: 255, examples: ['main.js'] }) },
  answers: bytes('application/octet-stream'),
  async run({ params, request }) {
    const found = await readAsset(params.asset, request.headers['accept-encoding']?.toString())
    if (!found) throw notFound('File')
    // They are the same for everybody. A frame without an origin loads them too.
    return { body: found.body, headers: { ...found.headers, ...OPEN, 'x-content-type-options': 'nosniff' } }
  },
})

/** What is drawn needs styles of its own and nothing else. Only pages of this server may frame it, and it has no origin. */
const DIAGRAM_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"

export const getDiagramFrame = endpoint({
  route: 'GET /-/diagram',
  summary: 'Get the frame in which a page draws a diagram',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  counted: false,
  answers: bytes('text/html; charset=utf-8'),
  run: () => ({
    body: html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title><script type="module" src="${assetPath('diagram.js')}"></script></head><body></body></html>`
      .text,
    headers: { 'content-security-policy': DIAGRAM_POLICY, 'cache-control': 'no-cache' },
  }),
})

export const showComponents = pageEndpoint({
  route: 'GET /-/components',
  summary: 'Show the components of the pages, where the setting has it',
  scope: inInstance,
  can: 'read_instance',
  async run(ctx) {
    if (!ctx.deps.config.componentGallery) throw notFound('Page')
    return page(ctx, { title: 'Components', body: gallery(ctx.now) })
  },
})

// Browsers ask for it whatever the page says.
export const getFavicon = endpoint({
  route: 'GET /favicon.ico',
  summary: 'Get the icon of the pages',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  counted: false,
  answers: bytes('text/plain', 302),
  run: () => ({ body: '', headers: { location: assetPath('logo.svg'), 'cache-control': 'public, max-age=86400' } }),
})
