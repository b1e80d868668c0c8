/** What `go get` asks for: where the repository of an import path is, in `meta` elements. */
import { git } from '../../code/git_http/dialect.ts'
import { isReservedAtTop } from '../../identity/paths/names.ts'
import { bytes, endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { HTML } from '../../platform/pages/dialect.ts'
import { html } from '../../platform/pages/html.ts'
import { projectAllowing } from '../../spaces/projects/scope.ts'
import { encodeGoGet } from './address.ts'

/** Segments of a path that are tried as that of a project: groups lie no deeper in each other. */
const DEEPEST = 22

export const showGoImport = endpoint({
  route: 'GET /-/go_get/:import_path',
  summary: 'Show `go get` where the repository of an import path is',
  scope: inInstance,
  can: 'read_instance',
  dialect: { ...git, name: 'go_get', rewrite: encodeGoGet },
  params: { import_path: text('The path of a package, URL-encoded', { maxLength: 4096, examples: ['group/project/package'] }) },
  answers: bytes(HTML),
  async run(ctx) {
    const parts = ctx.params.import_path.split('/').filter(part => part !== '')
    if (parts.length < 2 || isReservedAtTop(parts[0] as string)) throw notFound('Project')
    let found: { readonly full_path: string; readonly default_branch: string | null } | undefined
    for (let length = Math.min(parts.length, DEEPEST); length >= 2 && !found; length -= 1)
      found = await projectAllowing(
        ctx,
        parts
          .slice(0, length)
          .join('/')
          .replace(/\.git$/, ''),
        'read_code',
      )
    // Contract: of what is private or does not exist, the first two segments are taken for the project (public behaviour).
    const path =
      found?.full_path ??
      parts
        .slice(0, 2)
        .join('/')
        .replace(/\.git$/, '')
    const address = `${ctx.url}/${path}`
    const name = `${new URL(ctx.url).host}/${path}`
    const branch = encodeURI(found?.default_branch ?? 'main')
    return {
      body: html`<!DOCTYPE html>
<html><head><meta name="go-import" content="${name} git ${address}.git"><meta name="go-source" content="${name} ${address} ${address}/-/tree/${branch}{/dir} ${address}/-/blob/${branch}{/dir}/{file}#L{line}"></head><body>go get ${name}</body></html>
`.text,
      headers: { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" },
    }
  },
})
