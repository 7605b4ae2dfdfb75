import { Typesetting } from '../../../ui/markdown/typeset/typesetting.tsx'
import { Composer } from './composer/composer.tsx'
import { PlaygroundSession } from './history/playground-session.tsx'
import { PlaygroundFrame } from './playground-frame.tsx'
import { SetupNotices } from './setup/setup-notices.tsx'
import { SetupProvider } from './setup/setup-provider.tsx'
import { SetupSidebar } from './setup/setup-sidebar.tsx'
import { Thread } from './thread/thread.tsx'
import { Toolbar } from './thread/toolbar.tsx'

/** The conversation of this browser, what it is asked with, and the screen over both. */
export function PlaygroundPage() {
  return (
    <PlaygroundSession>
      <SetupProvider>
        <PlaygroundFrame
          sidebar={<SetupSidebar />}
          toolbar={<Toolbar />}
          composer={
            <>
              <SetupNotices />
              <Composer />
            </>
          }
        >
          <Typesetting>
            <Thread />
          </Typesetting>
        </PlaygroundFrame>
      </SetupProvider>
    </PlaygroundSession>
  )
}
