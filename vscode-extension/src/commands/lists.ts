/** The memory at a glance: what deserves a look, and what this branch does to it. */

import { branchPage, dashboardPage } from '../records/dashboard';
import type { Pages } from '../records/pages';
import type { Branch, Overview } from '../server/protocol';
import type { Server } from '../server/server';

/** Shows what this branch does to the memory, to be read before it is merged. */
export function reviewBranch(server: Server, pages: Pages): Promise<void> {
  return pages.showMade(async () => {
    const found = await server.demand<Branch>('gitmem.branch');
    return found && branchPage(found);
  });
}

/** Shows what the memory holds and what deserves a look. */
export function dashboard(server: Server, pages: Pages): Promise<void> {
  return pages.showMade(async () => {
    const overview = await server.demand<Overview>('gitmem.overview', { details: true });
    return overview?.attention && dashboardPage(overview, overview.attention, Date.now());
  });
}
