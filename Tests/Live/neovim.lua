-- Drives nvim-dap in a Neovim without a window: launches a recording, moves, and prints where it is.

local dap = require("dap")
local stops = {}
local LIMIT = 60000

dap.adapters.stateline = { type = "executable", command = vim.env.DEBUGD, args = { "dap" } }
dap.listeners.after.event_stopped["test"] = function(_, body)
  table.insert(stops, body)
end

local function moved(move)
  local count = #stops
  move()
  local function arrived()
    local session = dap.session()
    return #stops > count and session and session.current_frame ~= nil
      and session.stopped_thread_id ~= nil
  end
  assert(vim.wait(LIMIT, arrived, 20), "nothing stopped")
  -- nvim-dap requests the frames after the event.
  local frame
  dap.session():request("stackTrace", { threadId = 1 }, function(failure, answer)
    assert(not failure, vim.inspect(failure))
    frame = answer.stackFrames[1]
  end)
  assert(vim.wait(LIMIT, function() return frame ~= nil end, 20), "no frames")
  return { reason = stops[#stops].reason, frame = frame.name, line = frame.line }
end

vim.cmd("edit Sources/Shop/Cart.swift")
vim.api.nvim_win_set_cursor(0, { 3, 0 })
dap.set_breakpoint("state.total < 0")
local places = {}
table.insert(places, moved(function()
  dap.run({ type = "stateline", request = "launch", name = "test",
    timeline = "cart.timeline", sources = "." })
end))
table.insert(places, moved(dap.reverse_continue))
table.insert(places, moved(dap.step_back))
table.insert(places, moved(dap.step_over))
local supports = dap.session().capabilities
print(vim.fn.json_encode({ places = places, stepBack = supports.supportsStepBack }))
dap.disconnect({}, function() end)
vim.cmd("qa!")
