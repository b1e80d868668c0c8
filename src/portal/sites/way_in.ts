/** The way of a browser to a site that is not public: the instance knows who it is, and gives a code for one host of sites. */
import { isServedHost } from '../../delivery/sites/serving/place.ts'
import { CODES, codeAddress } from '../../delivery/sites/serving/sign_in.ts'
import { leavingPage } from '../../identity/providers/pages.ts'
import { inInstance } from '../../platform/kernel/declaration/scope.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { notFound } from '../../platform/kernel/errors.ts'
import { pageEndpoint } from '../../platform/pages/forms/declare.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'

export const signInToSite = pageEndpoint({
  route: `GET ${CODES}`,
  summary: 'Lead the browser of a user to a site, with a code that proves who they are to its host',
  scope: inInstance,
  can: 'use_instance',
  params: {
    host: text('Host of the site', { maxLength: 253, examples: ['team.pages.example.net'] }),
    state: text('What ties the code to the browser that asked', {
      pattern: '^[0-9a-f]{32}$',
      examples: ['0123456789abcdef0123456789abcdef'],
    }),
    to: optional(text('Path on the host to go to', { maxLength: 4_096 })),
  },
  errors: ['not_found'],
  async run(ctx) {
    const { actor, db, deps, now, params } = ctx
    const { pagesUrl: sites } = deps.config
    const host = params.host.toLowerCase()
    // A code leads to hosts that serve sites here, and nowhere else.
    if (!sites || actor.credential?.kind !== 'session' || !(await isServedHost({ db, sites, now }, host))) throw notFound('Site')
    const to = codeAddress(deps, sites, { session: actor.credential.id, host, state: params.state, to: localPath(params.to) })
    return leavingPage(ctx, { to, site: host })
  },
})
