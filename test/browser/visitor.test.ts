/** What a visitor finds on pages, also where most of a page was on others before: kinds of elements that are known are not looked at again. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { atEnd } from '../at_end.ts'
import { startChromium } from './chromium.ts'
import { visitor } from './visitor.ts'

/** By the name of a page: what it has below its first field. */
const faults: Readonly<Record<string, readonly [body: string, finds: RegExp]>> = {
  picture: ['<p><img class="new" src="data:,"></p>', /image-alt/],
  label: ['<p><label for="nowhere">Name</label> <input id="other" type="text"></p>', /label: /],
  reference: ['<p><input type="text" aria-labelledby="gone"></p>', /label: /],
  contrast: ['<p style="color: #ccc; background: #fff">pale</p>', /color-contrast/],
  headings: ['<h4>Too deep</h4>', /heading-order/],
  landmarks: ['<main><p>Another one</p></main>', /landmark/],
  list: ['<ul><p>no item</p></ul>', /list: /],
  nested: ['<p><button type="button"><a href="/">in a button</a></button></p>', /nested-interactive/],
  dialog: ['<dialog open aria-label="Sure?"><p style="color: #ccc">pale</p></dialog>', /color-contrast/],
  wide: ['<p style="width: 3000px">wide</p>', /wider than the window/],
}

const pageOf = (body: string) =>
  `<!doctype html><html lang="en"><title>Lamps</title><body><main><h1>Lamps</h1><p><label for="first">First</label> <input id="first" type="text"></p>${body}</main>`

const server = createServer((request, response) => {
  const [body = ''] = faults[(request.url ?? '').slice(1)] ?? []
  response.setHeader('content-type', 'text/html').end(pageOf(body))
})
await once(server.listen(0, '127.0.0.1'), 'listening')
atEnd(async () => {
  server.closeAllConnections()
  server.close()
})
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const browser = await startChromium()
atEnd(() => browser.close())

test('a fault is found on a page whose other elements are known, each time', async () => {
  const window = await visitor(browser, url)
  await window.visit('/flawless')
  assert.equal(await window.check(), false, 'nothing is new')
  for (const [name, [, finds]] of Object.entries(faults))
    for (const time of ['first', 'second']) await assert.rejects(window.visit(`/${name}`), finds, `${name}, the ${time} time`)
  await window.close()
})
