/**
 * The lint rule `structure/rooms-in-order`. Its options name a folder and its rooms (files and subfolders) from the top down: each
 * may import those after it in the list, and none before it. Unlisted rooms are refused.
 */
const roomsInOrder = {
  meta: { schema: [{ type: 'object' }] },
  create(context) {
    const [{ folder, rooms }] = context.options
    const roomOf = (path) => {
      const [, inside] = path.replaceAll('\\', '/').split(`/${folder}/`)
      return inside?.split('/')[0]
    }
    const room = roomOf(context.filename)
    const check = (node) => {
      const from = node.source?.value
      if (typeof from !== 'string' || !from.startsWith('.')) return
      const imported = roomOf(new URL(from, `file://${context.filename}`).pathname)
      if (imported === undefined || imported === room) return
      if (!rooms.includes(room)) context.report({ node, message: `${room} has no place in the list of rooms.` })
      else if (rooms.indexOf(imported) < rooms.indexOf(room)) {
        context.report({ node, message: `${room} lies below ${imported}, so it may not import it.` })
      }
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
}

/** @public oxlint loads it by its path. */
export default { meta: { name: 'structure' }, rules: { 'rooms-in-order': roomsInOrder } }
