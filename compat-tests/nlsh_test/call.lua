for _, line in ipairs(arg) do os.execute(line) end
