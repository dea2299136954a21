/* What the tries on Windows need beside a shell.
 *
 *   aid hold FILE                 holds a file open so that nobody else may open it, until its input ends
 *   aid interrupt SECONDS COMMAND types Ctrl-C after so many seconds, and ends with the command's exit code
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

static int hold(const wchar_t *path) {
    HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, OPEN_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE) return 2;
    puts("held");
    fflush(stdout);
    while (getchar() != EOF) {}
    CloseHandle(file);
    return 0;
}

static int interrupt(int seconds, wchar_t *command) {
    STARTUPINFOW start = {.cb = sizeof start};
    PROCESS_INFORMATION process;
    DWORD code = 2;
    if (!CreateProcessW(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process)) return 2;
    Sleep(1000 * seconds);
    /* Ctrl-C is for the command, not for us. */
    SetConsoleCtrlHandler(NULL, TRUE);
    GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0);
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &code);
    return (int)code;
}

int wmain(int count, wchar_t **words) {
    if (count == 3 && !wcscmp(words[1], L"hold")) return hold(words[2]);
    if (count > 3 && !wcscmp(words[1], L"interrupt")) {
        wchar_t command[4096] = L"";
        for (int i = 3; i < count; i++) {
            if (wcslen(command) + wcslen(words[i]) + 4 >= 4096) return 2;
            wcscat(wcscat(wcscat(command, L"\""), words[i]), L"\" ");
        }
        return interrupt(_wtoi(words[2]), command);
    }
    return 2;
}
