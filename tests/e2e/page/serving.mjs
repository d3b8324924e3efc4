// A repository, served by a real process.
import { spawn } from 'node:child_process';

/** Serves a repository; gives the printed address, and what ends it. */
export async function serve(repository) {
  const process = spawn(repository.gitmemPath, ['serve', '--no-browser'], { cwd: repository.folder, env: repository.env });
  const printed = await new Promise((resolve, reject) => {
    let said = '';
    process.stderr.on('data', (data) => {
      const line = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec((said += data));
      if (line) resolve(line[0]);
    });
    process.once('exit', () => reject(new Error(said)));
  });
  return {
    address: printed,
    async stop() {
      if (process.exitCode === null) {
        const gone = new Promise((resolve) => process.once('exit', resolve));
        process.kill('SIGINT');
        await gone;
      }
    },
  };
}
