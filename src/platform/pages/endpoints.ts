/** What all pages share: the style sheet. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../kernel/declaration/dialect.ts'
import { bytes, endpoint } from '../kernel/declaration/endpoint.ts'
import { inInstance } from '../kernel/declaration/scope.ts'

const styleSheet = readFileSync(join(import.meta.dirname, 'style.css'))

export const getStyleSheet = endpoint({
  route: 'GET /-/pages.css',
  summary: 'Get the style sheet of the pages',
  scope: inInstance,
  can: 'read_instance',
  dialect: root,
  answers: bytes('text/css; charset=utf-8'),
  run: () => ({ body: styleSheet, headers: { 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' } }),
})
