/** The end of the server of sites while something is being looked up for a browser that has left. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { holdTable } from '../../../../test/held_table.ts'
import { openScene } from '../../../../test/scene.ts'
import type { SitesAddress } from '../../../platform/config.ts'
import { startSitesServer } from './server.ts'

const scene = await openScene({ settings: { pagesUrl: 'http://pages.localhost:8090', pagesPort: '0' } })

test('the end waits for work whose client has left', async () => {
  const { port, stop } = await startSitesServer(scene.deps, scene.deps.config.pagesUrl as SitesAddress)
  const held = await holdTable(scene.deps.database, 'project_sites')
  const asked = request({ host: '127.0.0.1', port, headers: { host: 'team.pages.localhost' }, agent: false }).on('error', () => {})
  asked.end()
  await held.awaited()
  asked.destroy()
  const order: string[] = []
  const stopped = stop().then(() => order.push('stopped'))
  // Longer than the end takes where nothing is waited for.
  await new Promise(resolve => setTimeout(resolve, 200))
  order.push('released')
  await held.release()
  await stopped
  assert.deepEqual(order, ['released', 'stopped'])
})
