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
    return { body: found.body, headers: { ...found.headers, 'x-content-type-options': 'nosniff' } }
  },
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
