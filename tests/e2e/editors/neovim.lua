-- Drives a headless Neovim with the set-up of docs/editors.md. What it saw goes as JSON
-- into $OUT; what was to be seen is asserted by the test.
local seen = {}
local function env(name) return (assert(os.getenv(name), name .. " is not set")) end
local function wait(what, condition)
  if not vim.wait(tonumber(os.getenv("PATIENCE") or "60000"), condition, 20) then error("waited in vain for " .. what) end
end
local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
local function of(source)
  return vim.tbl_filter(function(d) return (d.source or ""):lower() == source end, vim.diagnostic.get(0))
end
local function cursor(text)
  for number, line in ipairs(lines()) do
    local from = line:find(text, 1, true)
    if from then return vim.api.nvim_win_set_cursor(0, { number, from }) end
  end
  error(text .. " is nowhere")
end
local function ask(client, method, params)
  params = params or vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answer = client.request_sync(method, params, 60000, 0)
  return answer and answer.result
end
local function attached()
  local found
  wait("the client", function()
    for _, client in pairs(vim.lsp.buf_get_clients(0)) do
      if client.name == "gitmem" and client.initialized then found = client end
    end
    return found
  end)
  return found
end
local function hover(client)
  local shown
  wait("a hover", function()
    shown = ask(client, "textDocument/hover")
    return shown ~= nil and shown ~= vim.NIL and not shown.contents.value:find("still reading", 1, true)
  end)
  return shown.contents.value
end

local scenarios = {}

function scenarios.records()
  vim.cmd("edit " .. env("RECORD"))
  local client = attached()
  wait("diagnostics", function() return #of("gitmem") > 0 end)
  seen.diagnostics = vim.tbl_map(function(d)
    return { line = d.lnum, column = d.col, message = d.message }
  end, of("gitmem"))
  cursor("wroked")
  -- The way that people go: choose in the list that vim.lsp.buf.code_action() shows.
  vim.ui.select = function(items, options, choose)
    seen.actions = vim.tbl_map(options.format_item, items)
    for number, item in ipairs(items) do
      if options.format_item(item) == "Replace by worked" then choose(item, number) end
    end
  end
  vim.lsp.buf.code_action()
  wait("the fix", function() return #of("gitmem") == 0 end)
  seen.text = lines()
  cursor("title")
  vim.cmd("normal! O")
  vim.api.nvim_set_current_line("ta")
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_win_get_cursor(0)[1], 2 })
  local offered = ask(client, "textDocument/completion")
  seen.completion = vim.tbl_map(function(item) return item.label end, offered.items)

  vim.cmd("edit! " .. env("CODE"))
  client = attached()
  cursor(env("ID"))
  seen.hover = hover(client)
  vim.lsp.buf.hover()
  wait("the window", function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= "" then
        seen.window = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      end
    end
    return seen.window
  end)
  seen.symbols = vim.tbl_map(function(one) return one.name end, ask(client, "workspace/symbol", { query = "datetime" }))
  vim.lsp.buf.definition()
  wait("the record", function() return vim.api.nvim_buf_get_name(0):find(env("ID"), 1, true) end)
  seen.definition = vim.api.nvim_buf_get_name(0)
end

local function see_the_known(client)
  wait("its diagnostics", function() return #of(env("SOURCE")) > 0 end)
  cursor(env("AT"))
  seen.hover = hover(client)
  vim.ui.select = function(items, options, choose)
    seen.actions = vim.tbl_map(options.format_item, items)
    choose(nil)
  end
  vim.lsp.buf.code_action()
  wait("actions", function() return seen.actions end)
end

-- Another server says something, and ours knows about it.
function scenarios.two_servers()
  vim.cmd("edit " .. env("CODE"))
  vim.bo.filetype = "python"
  local client = attached()
  local other = vim.lsp.start_client({ name = "other", cmd = vim.fn.json_decode(env("OTHER")), root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, other)
  see_the_known(client)
  vim.lsp.get_client_by_id(other).stop()
end

-- The other server stands behind ours: one client for both.
function scenarios.wrapped()
  vim.cmd("edit " .. env("CODE"))
  vim.bo.filetype = "python"
  local id = vim.lsp.start_client({ name = "gitmem", cmd = vim.fn.json_decode(env("OTHER")), root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, id)
  see_the_known(attached())
end

-- The server crashes; the next hover is answered by the one that was started after it.
function scenarios.crashed()
  vim.cmd("edit " .. env("CODE"))
  local first = attached()
  cursor(env("ID"))
  seen.before = hover(first)
  local children = vim.api.nvim_get_proc_children(vim.fn.getpid())
  seen.ended = vim.tbl_map(function(child) return vim.loop.kill(child, "sigkill") end, children)
  wait("its end", function() return not vim.lsp.get_client_by_id(first.id) end)
  local second = attached()
  seen.same = second.id == first.id
  seen.hover = hover(second)
end

vim.opt.runtimepath:append(env("SETUP"))
local fine, fault = xpcall(function()
  if env("SCENARIO") ~= "wrapped" then require("gitmem") end
  scenarios[env("SCENARIO")]()
  for _, client in pairs(vim.lsp.get_active_clients()) do client.stop() end
  wait("the end", function() return #vim.lsp.get_active_clients() == 0 end)
end, debug.traceback)
seen.fault = not fine and fault or nil
vim.fn.writefile({ vim.fn.json_encode(seen) }, env("OUT"))
vim.cmd("qall!")
